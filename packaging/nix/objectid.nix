# objectid for nixpkgs' PostgreSQL.  With a clone of the tree:
#
#   services.postgresql.extensions = ps: [ (ps.callPackage ./packaging/nix/objectid.nix { }) ];
#
# The function that builds it, postgresqlBuildExtension, is in nixpkgs 24.11 and later.
{
  lib,
  postgresql,
  postgresqlBuildExtension,
}:

postgresqlBuildExtension {
  pname = "objectid";
  version = "1.0.0";

  src = lib.cleanSource ../..;

  meta = {
    description = "MongoDB's ObjectId as a PostgreSQL type";
    license = lib.licenses.postgresql;
    platforms = postgresql.meta.platforms;
  };
}
