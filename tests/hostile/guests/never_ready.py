"""Never says READY."""

from guest import hang

hang()
