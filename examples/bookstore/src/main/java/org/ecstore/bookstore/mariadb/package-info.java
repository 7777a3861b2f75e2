/** The shop on MariaDB: tables of InnoDB, by JDBC. */
@NullMarked
package org.ecstore.bookstore.mariadb;

import org.jspecify.annotations.NullMarked;
