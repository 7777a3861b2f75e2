package org.ecstore.spring;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.function.BooleanSupplier;

/**
 * An answer before whose body something may have to be said, once. For one thread at a time, as
 * answers are.
 */
final class CookieResponse extends HttpServletResponseWrapper {
  private final BooleanSupplier isNeeded;
  private final Runnable beforeBody;
  private volatile boolean elsewhere;
  private volatile boolean said;

  CookieResponse(HttpServletResponse response, BooleanSupplier isNeeded, Runnable beforeBody) {
    super(response);
    this.isNeeded = isNeeded;
    this.beforeBody = beforeBody;
  }

  /** Its head can be changed no more from now on. */
  void bodyBegins() {
    if (!said && (elsewhere || isNeeded.getAsBoolean())) {
      said = true;
      beforeBody.run();
    }
  }

  /** Another thread goes on with it, and may write: its commits are not known to the first one. */
  void goesOnElsewhere() {
    elsewhere = true;
  }

  @Override
  public void reset() {
    super.reset();
    said = false;
  }

  @Override
  public ServletOutputStream getOutputStream() throws IOException {
    bodyBegins();
    return super.getOutputStream();
  }

  @Override
  public PrintWriter getWriter() throws IOException {
    bodyBegins();
    return super.getWriter();
  }

  @Override
  public void flushBuffer() throws IOException {
    bodyBegins();
    super.flushBuffer();
  }

  @Override
  public void sendError(int status) throws IOException {
    bodyBegins();
    super.sendError(status);
  }

  @Override
  public void sendError(int status, String message) throws IOException {
    bodyBegins();
    super.sendError(status, message);
  }

  @Override
  public void sendRedirect(String location) throws IOException {
    bodyBegins();
    super.sendRedirect(location);
  }

  @Override
  public void sendRedirect(String location, int status, boolean clearBuffer) throws IOException {
    bodyBegins();
    super.sendRedirect(location, status, clearBuffer);
  }
}
