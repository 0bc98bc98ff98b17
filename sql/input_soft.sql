--
-- Soft errors (16 and newer): the caller can test input without raising an error.
--
\t on
SELECT pg_input_is_valid('507f1f77bcf86cd799439011', 'objectid'),
       pg_input_is_valid('507f1f77bcf86cd79943901', 'objectid'),
       pg_input_is_valid('{507f1f77bcf86cd799439011,x}', 'objectid[]');
SELECT * FROM pg_input_error_info('507f1f77bcf86cd79943901', 'objectid');
