package org.ecstore.bookstore.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.logging.Level;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.json.Json;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * Chromium without a window, as it is installed on this machine. It reaches no other host, keeps
 * nothing, and writes down what pages ask for and complain of.
 */
final class Chromium implements AutoCloseable {
  private static final String FAULTS = "page-faults.js";

  private final ChromeDriver driver;
  private final String root;
  private final List<String> asked = new ArrayList<>();
  private final List<String> complaints = new ArrayList<>();

  private Chromium(ChromeDriver driver, String root) {
    this.driver = driver;
    this.root = root;
  }

  /**
   * Starts it.
   *
   * @param profile an empty directory
   * @param root of the pages that it shall show, without a slash at the end
   * @return absent if there is no browser, or no driver of it, on the {@code PATH}
   */
  static Optional<Chromium> start(Path profile, String root) {
    Optional<File> browser = onPath("chromium");
    Optional<File> program = onPath("chromedriver");
    if (browser.isEmpty() || program.isEmpty()) {
      return Optional.empty();
    }
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    logs.enable(LogType.PERFORMANCE, Level.ALL);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(browser.get());
    options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        "--user-data-dir=" + profile);
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(program.get())
            .usingAnyFreePort()
            .build();
    return Optional.of(new Chromium(new ChromeDriver(service, options), root));
  }

  private static Optional<File> onPath(String name) {
    for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
      File file = new File(folder, name);
      if (!folder.isEmpty() && file.isFile() && file.canExecute()) {
        return Optional.of(file);
      }
    }
    return Optional.empty();
  }

  /** What this class has no method for. */
  ChromeDriver driver() {
    return driver;
  }

  /** Forgets who it was: no cookies, an empty page, one tab of a desk's width. */
  void forget() {
    List<String> tabs = new ArrayList<>(driver.getWindowHandles());
    for (String tab : tabs.subList(1, tabs.size())) {
      driver.switchTo().window(tab).close();
    }
    driver.switchTo().window(tabs.getFirst());
    size(Screen.DESK.width, Screen.DESK.height, false);
    driver.get(root + "/search");
    driver.manage().deleteAllCookies();
    listen();
    asked.clear();
    complaints.clear();
  }

  /** Opens a page of the shop. */
  void open(String path) {
    driver.get(root + path);
  }

  /** The path of the page that is shown. */
  String path() {
    return URI.create(Objects.requireNonNull(driver.getCurrentUrl())).getPath();
  }

  /** Waits until another page is shown. */
  void awaitPath(String path) {
    Awaitility.await(path).until(() -> path().startsWith(path));
  }

  /** The first element of a selector. */
  WebElement one(String selector) {
    return driver.findElement(By.cssSelector(selector));
  }

  /** All elements of a selector. */
  List<WebElement> all(String selector) {
    return driver.findElements(By.cssSelector(selector));
  }

  /** What the page says. */
  String text() {
    return one("body").getText();
  }

  /** Presses what a selector finds. */
  void press(String selector) {
    one(selector).click();
  }

  /** Types into the field of a name. */
  void type(String name, String text) {
    WebElement field = one("main [name='" + name + "']");
    field.clear();
    field.sendKeys(text);
  }

  /** What a script returns in the page. */
  Object run(String script, Object... arguments) {
    return Objects.requireNonNull(driver.executeScript(script, arguments), script);
  }

  /**
   * Looks at the page on a phone and on a desk, by day and by night: it fits, can be read, and has
   * a name for each field. Pictures are kept in {@code target/screenshots}.
   */
  void look(String name) throws IOException {
    Path kept = Files.createDirectories(Path.of("target", "screenshots"));
    for (Screen screen : Screen.values()) {
      size(screen.width, screen.height, screen == Screen.PHONE);
      // As high as all of it, so that pictures come that wait until they are seen.
      size(screen.width, Math.max(screen.height, height()), screen == Screen.PHONE);
      Awaitility.await("pictures of " + name)
          .until(() -> run("return [...document.images].every(i => i.complete)").equals(true));
      for (String scheme : List.of("light", "dark")) {
        driver.executeCdpCommand(
            "Emulation.setEmulatedMedia",
            Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        assertEquals(
            List.of(),
            run(faultsScript(), screen.width),
            () -> name + " on a " + screen + ", " + scheme);
        String file = name + "-" + screen.name().toLowerCase(Locale.ROOT);
        Files.write(kept.resolve(file + (scheme.equals("dark") ? "-dark.png" : ".png")), picture());
      }
    }
    size(Screen.DESK.width, Screen.DESK.height, false);
  }

  private int height() {
    return ((Number) run("return document.documentElement.scrollHeight")).intValue();
  }

  private byte[] picture() {
    Object data =
        driver.executeCdpCommand("Page.captureScreenshot", Map.of("format", "png")).get("data");
    return Base64.getDecoder().decode((String) Objects.requireNonNull(data));
  }

  private void size(int width, int height, boolean phone) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", phone));
  }

  private static String faultsScript() {
    try (var script = Objects.requireNonNull(Chromium.class.getResourceAsStream(FAULTS), FAULTS)) {
      return new String(script.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What pages have asked for, of any host, since it forgot. */
  List<String> asked() {
    listen();
    return List.copyOf(asked);
  }

  /**
   * Fails if a page has asked another host for anything, or has complained: of what the
   * Content-Security-Policy forbids, of what did not come.
   *
   * @param expected complaints that belong to the walk, as of an answer that says what was wrong
   */
  void assertQuiet(Pattern expected) {
    Set<String> hosts = new TreeSet<>();
    for (String address : asked()) {
      if (!address.startsWith("data:")) {
        hosts.add(address.replaceFirst("^([a-z]+://[^/]*).*", "$1"));
      }
    }
    assertEquals(Set.of(root), hosts);
    assertEquals(
        List.of(), complaints.stream().filter(text -> !expected.matcher(text).find()).toList());
  }

  /** The driver gives each entry once. */
  private void listen() {
    for (LogEntry entry : driver.manage().logs().get(LogType.BROWSER)) {
      complaints.add(entry.getLevel() + " " + entry.getMessage());
    }
    for (LogEntry entry : driver.manage().logs().get(LogType.PERFORMANCE)) {
      address(entry.getMessage()).ifPresent(asked::add);
    }
  }

  private static Optional<String> address(String event) {
    Map<?, ?> message = (Map<?, ?>) map(event).get("message");
    assertTrue(message != null, event);
    if (!"Network.requestWillBeSent".equals(message.get("method"))) {
      return Optional.empty();
    }
    Map<?, ?> params = (Map<?, ?>) Objects.requireNonNull(message.get("params"));
    Map<?, ?> request = (Map<?, ?>) Objects.requireNonNull(params.get("request"));
    return Optional.of(String.valueOf(request.get("url")));
  }

  private static Map<?, ?> map(String event) {
    return Objects.requireNonNull(new Json().<Map<?, ?>>toType(event, Json.MAP_TYPE));
  }

  @Override
  public void close() {
    driver.quit();
  }

  /** Where a page is looked at: its window in pixels. */
  private enum Screen {
    PHONE(360, 740),
    DESK(1280, 800);

    private final int width;
    private final int height;

    Screen(int width, int height) {
      this.width = width;
      this.height = height;
    }
  }
}
