package dev.forebay.djl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.Model;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.Blocks;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.EasyTrain;
import ai.djl.training.Trainer;
import ai.djl.training.dataset.Batch;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import ai.djl.translate.TranslateException;
import dev.forebay.DataLoader;
import dev.forebay.dataset.ArrayDataset;
import dev.forebay.dataset.Dataset;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** DJL's own training loop over a loader: the example of docs/djl.md. */
class TrainingExampleTest {
  /** Points, labelled by the side of a line on which they lie. */
  private static Dataset points() {
    float[] points = new float[400 * 2];
    long[] labels = new long[400];
    for (int i = 0; i < 400; i++) {
      points[2 * i] = (i % 20) / 10f - 1;
      int row = i / 20;
      points[2 * i + 1] = row / 10f - 1;
      labels[i] = points[2 * i] + points[2 * i + 1] > 0.05f ? 1 : 0;
    }
    return ArrayDataset.builder().field("image", points, 2).field("label", labels).build();
  }

  @Test
  void easyTrain_overALoader_learns() throws IOException, TranslateException {
    try (Dataset points = points();
        DataLoader loader =
            DataLoader.builder(points).batchSize(40).shuffle(true).seed(1).workers(2).build();
        Model model = Model.newInstance("points")) {
      model.setBlock(
          new SequentialBlock()
              .add(Blocks.batchFlattenBlock())
              .add(Linear.builder().setUnits(8).build())
              .add(Activation::relu)
              .add(Linear.builder().setUnits(2).build()));
      DefaultTrainingConfig config =
          new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss())
              .optOptimizer(Optimizer.adam().optLearningRateTracker(Tracker.fixed(0.05f)).build());
      try (Trainer trainer = model.newTrainer(config)) {
        trainer.initialize(new Shape(40, 2));
        LoaderDataset dataset = LoaderDataset.of(loader);
        int batches = 0;
        for (int epoch = 0; epoch < 20; epoch++) {
          for (Batch batch : trainer.iterateDataset(dataset)) {
            EasyTrain.trainBatch(trainer, batch);
            trainer.step();
            batch.close();
            batches++;
          }
        }
        assertEquals(200, batches);
        long correct = 0;
        for (Batch batch : dataset.getData(trainer.getManager())) {
          correct +=
              trainer
                  .evaluate(batch.getData())
                  .singletonOrThrow()
                  .argMax(1)
                  .eq(batch.getLabels().singletonOrThrow())
                  .toType(DataType.INT64, false)
                  .sum()
                  .getLong();
          batch.close();
        }
        assertTrue(correct > 360, "only " + correct + " of 400 are right");
      }
    }
  }
}
