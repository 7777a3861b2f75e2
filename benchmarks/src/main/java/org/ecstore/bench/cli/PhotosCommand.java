package org.ecstore.bench.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.ecstore.bench.photos.Album;
import org.ecstore.bench.photos.PhotoLoad;
import org.ecstore.bench.photos.PhotoScan;
import org.ecstore.bench.store.Target;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ecstore bench photos}. */
@Command(
    name = "photos",
    description = {
      "Measures range scans of photo metadata in date order.",
      "",
      "Records of 200 bytes, as many on each day (the paper's appendix C.1). Each operation scans"
          + " all photos of 7 days, a month or four months, beginning at a random day, and must find"
          + " every one of them. recordsPerSecond counts the photos."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore bench photos --days 365 --photos-per-day 500 --clients 4",
      "  ecstore bench photos --nodes 3 --workload 4-months --clients 1"
    })
final class PhotosCommand implements Callable<Integer> {
  private static final int SPLITS = 16;

  @Spec private CommandSpec spec;
  @Mixin private LoadOptions options = new LoadOptions();

  @Option(
      names = "--workload",
      split = ",",
      paramLabel = "W",
      defaultValue = "7-days,1-month,4-months",
      description = "7-days, 1-month, 4-months; one after the other. ${DEFAULT-VALUE}.")
  private List<String> workloads = List.of();

  @Option(
      names = "--days",
      paramLabel = "N",
      defaultValue = "400",
      description = "How many days there are. ${DEFAULT-VALUE}.")
  private int days;

  @Option(
      names = "--photos-per-day",
      paramLabel = "N",
      defaultValue = "500",
      description = "How many photos each day has. ${DEFAULT-VALUE}, as in the paper.")
  private int photosPerDay;

  @Override
  public Integer call() throws Exception {
    List<PhotoScan> wanted = new ArrayList<>();
    for (String name : workloads) {
      wanted.add(
          PhotoScan.of(name)
              .orElseThrow(
                  () -> wrong("no workload " + name + "; there are " + PhotoScan.titles())));
    }
    PhotoScan longest = wanted.stream().max(Comparator.comparingInt(PhotoScan::days)).orElseThrow();
    if (days < longest.days() || days > Album.DAYS_MAX) {
      throw wrong(
          "--days is from %d, for %s, to %d, not %d"
              .formatted(longest.days(), longest.title(), Album.DAYS_MAX, days));
    }
    if (photosPerDay < 1 || photosPerDay > Album.PER_DAY_MAX) {
      throw wrong(
          "--photos-per-day is from 1 to %d, not %d".formatted(Album.PER_DAY_MAX, photosPerDay));
    }
    Album album = new Album(days, photosPerDay);
    return new Loading(options, spec)
        .run(album.photos(), splitHints(album), target -> plan(target, wanted, album));
  }

  private ParameterException wrong(String what) {
    return new ParameterException(spec.commandLine(), what);
  }

  private static List<Bytes> splitHints(Album album) {
    Bytes table = Tuple.of(Album.TABLE).encode();
    return IntStream.range(1, SPLITS)
        .mapToObj(part -> Tuple.of(album.key(album.photos() * part / SPLITS)).encode(table))
        .distinct()
        .toList();
  }

  private static Loading.Measurement plan(Target target, List<PhotoScan> wanted, Album album) {
    Map<String, String> how =
        Map.of("album", "%d days of %d photos".formatted(album.days(), album.photosPerDay()));
    PhotoLoad.Inserts inserts = new PhotoLoad.Inserts(target, album);
    List<Loading.Part> parts =
        wanted.stream()
            .map(each -> new Loading.Part(each.title(), new PhotoLoad(target, each, album), how))
            .toList();
    return new Loading.Measurement() {
      @Override
      public void insert(Runnable inserted) throws Exception {
        inserts.run(inserted);
      }

      @Override
      public List<Loading.Part> parts() {
        return parts;
      }
    };
  }
}
