/** Whether what the shop keeps is right: stock, orders and carts against each other. */
@NullMarked
package org.ecstore.bookstore.audit;

import org.jspecify.annotations.NullMarked;
