package org.ecstore.bookstore.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Tells browsers to take nothing from elsewhere into the shop's pages, refuses forms that another
 * site has sent, and says for the header of each page where it is and whether a customer is logged
 * in: {@code here} and {@code loggedIn} in templates. The data is not asked for that.
 */
@Component
class PageFilter extends OncePerRequestFilter {
  private static final String POLICY =
      "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self';"
          + " frame-ancestors 'none'";

  private final Cookies cookies;

  PageFilter(Cookies cookies) {
    this.cookies = cookies;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    response.setHeader("Content-Security-Policy", POLICY);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Referrer-Policy", "same-origin");
    if (!request.getRequestURI().startsWith("/covers/")) {
      response.setHeader("Cache-Control", "no-store");
      request.setAttribute("here", request.getRequestURI());
      request.setAttribute("loggedIn", cookies.customer(request).isPresent());
    }
    if (request.getMethod().equals("POST") && isFromElsewhere(request)) {
      response.sendError(
          HttpServletResponse.SC_FORBIDDEN, "This form came from another site. Begin again here.");
      return;
    }
    chain.doFilter(request, response);
  }

  /** By what the browser says; those that say neither have no cookies of others either. */
  private static boolean isFromElsewhere(HttpServletRequest request) {
    String site = request.getHeader("Sec-Fetch-Site");
    if (site != null) {
      return !site.equals("same-origin") && !site.equals("none");
    }
    String origin = request.getHeader("Origin");
    return origin != null && !isOurs(origin, request);
  }

  private static boolean isOurs(String origin, HttpServletRequest request) {
    try {
      String authority = URI.create(origin).getRawAuthority();
      return authority != null && authority.equals(request.getHeader("Host"));
    } catch (IllegalArgumentException _) {
      return false;
    }
  }
}
