package org.ecstore.bookstore.model;

/** How an order is sent. */
public enum ShipType {
  AIR,
  UPS,
  FEDEX,
  SHIP,
  COURIER,
  MAIL
}
