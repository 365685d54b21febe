/**
 * Native memory with owners and budgets, and the description of what lies in it: element types,
 * shapes, fields, schemas; and {@link dev.forebay.memory.Mix64}, which hashes.
 *
 * <p>A bottom room: it uses no other room but {@code error}.
 */
@NullMarked
package dev.forebay.memory;

import org.jspecify.annotations.NullMarked;
