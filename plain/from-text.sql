-- objectid_from_text(): takes all text formats of the extension, and raises an error for anything else (docs/managed.md)
CREATE FUNCTION objectid_from_text(text) RETURNS objectid LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF $1 !~ replace(replace('^(#|"#"|\\x#|(ObjectId|ObjectID|new ObjectId|BSON::ObjectId|ObjectIdHex)\((#|"#"|''#'')\)|{_"\$oid"_:_"#"_})$',
                           '#', '[0-9A-Fa-f]{24}'), '_', '[ \t\n\r]*') THEN
    RAISE invalid_text_representation USING MESSAGE = format('invalid input syntax for type objectid: "%s"', left($1, 100));
  END IF;
  RETURN lower(substring($1, '[0-9A-Fa-f]{24}'));
END$$;
