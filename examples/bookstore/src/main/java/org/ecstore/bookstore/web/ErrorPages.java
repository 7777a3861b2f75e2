package org.ecstore.bookstore.web;

import jakarta.servlet.http.HttpServletResponse;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.ecstore.bookstore.ShopException;
import org.ecstore.bookstore.mariadb.MariaDbException;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.TooLargeException;
import org.ecstore.client.error.WrongArgumentException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.ui.Model;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.resource.NoResourceFoundException;

/** Pages for what cannot be shown: each says what to do next. */
@ControllerAdvice
class ErrorPages {
  private static final Logger LOG = LoggerFactory.getLogger(ErrorPages.class);
  private static final String SECONDS = "5";

  private static String page(
      HttpStatus status, String title, String text, HttpServletResponse response, Model model) {
    response.setStatus(status.value());
    model.addAttribute("title", title);
    model.addAttribute("text", text);
    return "message";
  }

  @ExceptionHandler
  String wrong(ShopException e, HttpServletResponse response, Model model) {
    return page(
        HttpStatus.BAD_REQUEST, "That cannot be", String.valueOf(e.getMessage()), response, model);
  }

  @ExceptionHandler({
    MissingServletRequestParameterException.class,
    InvalidParameterException.class,
    TooLargeException.class,
    WrongArgumentException.class
  })
  String incomplete(HttpServletResponse response, Model model) {
    return page(
        HttpStatus.BAD_REQUEST,
        "Something is missing",
        "The address or the form was not complete, or too long. Go back and try once more.",
        response,
        model);
  }

  @ExceptionHandler
  String notThere(NotThereException e, HttpServletResponse response, Model model) {
    return page(HttpStatus.NOT_FOUND, "Not here", String.valueOf(e.getMessage()), response, model);
  }

  @ExceptionHandler({MethodArgumentTypeMismatchException.class, NoResourceFoundException.class})
  String unknown(HttpServletResponse response, Model model) {
    return page(
        HttpStatus.NOT_FOUND,
        "Not here",
        "There is no such page. Search for a book, or begin at the first page.",
        response,
        model);
  }

  /** A store that is away comes back: nothing is lost by trying again. */
  @ExceptionHandler({EcStoreException.class, MariaDbException.class, IllegalStateException.class})
  String later(RuntimeException e, HttpServletResponse response, Model model) {
    LOG.warn("a page cannot be shown", e);
    response.setHeader(HttpHeaders.RETRY_AFTER, SECONDS);
    return page(
        HttpStatus.SERVICE_UNAVAILABLE,
        "One moment",
        "The shop cannot answer now, and what you have sent may be done or not. Wait some seconds"
            + " and look at your cart: it is kept. A form that buys may be sent again: it buys"
            + " once.",
        response,
        model);
  }
}
