package org.ecstore.bookstore.web;

import org.ecstore.bookstore.mariadb.MariaDbSettings.Isolation;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the shop is told.
 *
 * @param store ecstore or mariadb.
 * @param key Key that signs who has logged in, in Base64, of 32 bytes; one of this process if none
 *     is given, so that two instances need one.
 * @param url Of MariaDB, as jdbc:mariadb://host:port/database.
 * @param user Of MariaDB.
 * @param password Of MariaDB.
 * @param connections To MariaDB at once.
 * @param isolation Of MariaDB's transactions.
 */
@ConfigurationProperties("bookstore")
public record ShopProperties(
    @DefaultValue("ecstore") String store,
    @Nullable String key,
    @DefaultValue("jdbc:mariadb://127.0.0.1:3306/bookstore") String url,
    @DefaultValue("bookstore") String user,
    @DefaultValue("") String password,
    @DefaultValue("20") int connections,
    @DefaultValue("serializable") Isolation isolation) {}
