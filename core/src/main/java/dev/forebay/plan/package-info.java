/**
 * The known future: which sample stands at which place of which batch of which epoch.
 *
 * <p>Entry point: {@link dev.forebay.plan.AccessPlan}. Uses {@code sampler} and the bottom rooms.
 */
@NullMarked
package dev.forebay.plan;

import org.jspecify.annotations.NullMarked;
