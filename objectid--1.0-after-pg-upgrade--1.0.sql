/* objectid--1.0-after-pg-upgrade--1.0.sql */

-- complain if script is sourced in psql, rather than via ALTER EXTENSION
\echo Use "ALTER EXTENSION objectid UPDATE" to load this file. \quit

-- Intentionally empty.
