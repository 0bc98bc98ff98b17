/* objectid--1.0-server--1.0.sql */

-- complain if script is sourced in psql, rather than via ALTER EXTENSION
\echo Use "ALTER EXTENSION objectid UPDATE" to load this file. \quit

-- The way back of objectid--1.0--1.0-server.sql, which has done it all.
