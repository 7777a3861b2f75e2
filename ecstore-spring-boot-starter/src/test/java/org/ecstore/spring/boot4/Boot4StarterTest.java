package org.ecstore.spring.boot4;

import org.ecstore.spring.boot.StarterContract;

/** The starter of Spring Boot 4. */
class Boot4StarterTest extends StarterContract {}
