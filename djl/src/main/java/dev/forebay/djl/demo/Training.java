package dev.forebay.djl.demo;

import ai.djl.Model;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.GradientCollector;
import ai.djl.training.Trainer;
import ai.djl.training.dataset.Batch;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import dev.forebay.DataLoader;
import dev.forebay.dataset.Dataset;
import dev.forebay.djl.LoaderDataset;
import dev.forebay.image.CenterCrop;
import dev.forebay.image.DecodeImage;
import dev.forebay.image.Interpolation;
import dev.forebay.image.Normalize;
import dev.forebay.image.RandomHorizontalFlip;
import dev.forebay.image.RandomResizedCrop;
import dev.forebay.image.Range;
import dev.forebay.image.Resize;
import dev.forebay.stats.Ticker;
import dev.forebay.transform.Transform;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongConsumer;

/** Trains the demo's network once, with one way of loading. Confined to one thread. */
final class Training {
  private static final float LEARNING_RATE = 0.003f;
  private static final double NANOS = 1e9;

  private final Settings settings;
  private final Dataset train;
  private final Dataset validation;
  private final Ticker ticker;

  private long computeNanos;
  private long stallNanos;
  private long firstBatchNanos;
  private long samples;

  /**
   * What both ways of loading have in common.
   *
   * @param classes the number of classes
   * @param batchSize pictures in a batch
   * @param epochs passes over the training pictures
   * @param seed of order, transforms and the network's first weights
   */
  record Settings(int classes, int batchSize, int epochs, long seed) {}

  Training(Settings settings, Dataset train, Dataset validation, Ticker ticker) {
    this.settings = settings;
    this.train = train;
    this.validation = validation;
    this.ticker = ticker;
  }

  private static List<Transform> trainTransforms() {
    return List.of(
        DecodeImage.rgb(),
        new RandomResizedCrop(
            Network.SIZE,
            Network.SIZE,
            new Range(0.5, 1),
            new Range(3.0 / 4, 4.0 / 3),
            Interpolation.BILINEAR,
            "image"),
        RandomHorizontalFlip.of(0.5),
        Normalize.imagenet());
  }

  private static List<Transform> validationTransforms() {
    return List.of(
        DecodeImage.rgb(),
        Resize.of(Network.SIZE + 8),
        CenterCrop.of(Network.SIZE),
        Normalize.imagenet());
  }

  private DataLoader.Builder loader(Dataset dataset, List<Transform> transforms, int workers) {
    return DataLoader.builder(dataset)
        .batchSize(settings.batchSize)
        .seed(settings.seed)
        .transforms(transforms)
        .workers(workers);
  }

  /**
   * Trains from the beginning.
   *
   * @param name of the way of loading
   * @param workers of the loader; 0 loads synchronously
   * @param trained is told how many samples were trained on
   */
  TrainingResult run(String name, int workers, LongConsumer trained) {
    Engine.getInstance().setRandomSeed((int) settings.seed);
    List<TrainingResult.Epoch> epochs = new ArrayList<>();
    try (Model model = Model.newInstance("demo");
        DataLoader trainLoader =
            loader(train, trainTransforms(), workers)
                .shuffle(true)
                .dropLast(true)
                .epochs(settings.epochs)
                .build();
        DataLoader validationLoader =
            loader(validation, validationTransforms(), workers).persistentWorkers(false).build()) {
      model.setBlock(Network.of(settings.classes));
      try (Trainer trainer = model.newTrainer(config())) {
        trainer.initialize(Network.input(settings.batchSize));
        for (int epoch = 0; epoch < settings.epochs; epoch++) {
          double loss = trainEpoch(trainer, trainLoader, trained);
          epochs.add(new TrainingResult.Epoch(loss, accuracy(trainer, validationLoader)));
        }
      }
    }
    return new TrainingResult(
        name,
        samples,
        (computeNanos + stallNanos) / NANOS,
        computeNanos / NANOS,
        stallNanos / NANOS,
        firstBatchNanos / NANOS,
        epochs);
  }

  private static DefaultTrainingConfig config() {
    return new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss())
        .optOptimizer(
            Optimizer.adam().optLearningRateTracker(Tracker.fixed(LEARNING_RATE)).build());
  }

  /** Time is either a step's or a wait's: what lies between them is nothing. */
  private double trainEpoch(Trainer trainer, DataLoader loader, LongConsumer trained) {
    Iterator<Batch> batches = LoaderDataset.of(loader).getData(trainer.getManager()).iterator();
    double losses = 0;
    int steps = 0;
    long before = ticker.nanos();
    while (batches.hasNext()) {
      try (Batch batch = batches.next()) {
        long received = ticker.nanos();
        stallNanos += received - before;
        firstBatchNanos = samples == 0 ? received - before : firstBatchNanos;
        losses += step(trainer, batch);
        steps++;
        samples += batch.getSize();
        before = ticker.nanos();
        computeNanos += before - received;
      }
      trained.accept(samples);
    }
    stallNanos += ticker.nanos() - before;
    return losses / Math.max(1, steps);
  }

  private static float step(Trainer trainer, Batch batch) {
    float result;
    try (GradientCollector collector = trainer.newGradientCollector()) {
      NDList predictions = trainer.forward(batch.getData());
      NDArray loss = trainer.getLoss().evaluate(batch.getLabels(), predictions);
      collector.backward(loss);
      result = loss.getFloat();
      loss.close();
      predictions.close();
    }
    trainer.step();
    return result;
  }

  private static double accuracy(Trainer trainer, DataLoader loader) {
    long correct = 0;
    long seen = 0;
    for (Batch batch : LoaderDataset.of(loader).getData(trainer.getManager())) {
      try (batch;
          NDList predictions = trainer.evaluate(batch.getData())) {
        correct += Network.correct(predictions, batch.getLabels());
        seen += batch.getSize();
      }
    }
    return seen == 0 ? 0 : correct / (double) seen;
  }
}
