package org.ecstore.spring.boot3;

import org.ecstore.spring.boot.StarterContract;

/** The starter of Spring Boot 3. */
class Boot3StarterTest extends StarterContract {}
