# objectid for Homebrew's PostgreSQL.  There is no public address yet, so the archive is the one
# that "make dist" packs:
#
#   make dist
#   brew tap-new local/objectid
#   cp packaging/homebrew/objectid.rb "$(brew --repository local/objectid)/Formula/"
#   HOMEBREW_OBJECTID=$PWD brew install local/objectid/objectid
class Objectid < Formula
  desc "MongoDB's ObjectId as a PostgreSQL type"
  url "file://#{ENV.fetch("HOMEBREW_OBJECTID", ".")}/objectid-1.0.0.zip"
  license "PostgreSQL"

  depends_on "postgresql@18" => [:build, :test]

  def postgresqls
    deps.map { |dependency| dependency.to_formula }.select { |formula| formula.name.start_with?("postgresql@") }
  end

  # into this formula's own directory; Homebrew links it to where PostgreSQL looks
  def install
    postgresqls.each do |postgresql|
      system "make", "PG_CONFIG=#{postgresql.opt_bin}/pg_config"
      system "make", "install", "PG_CONFIG=#{postgresql.opt_bin}/pg_config",
                     "bindir=#{bin}", "docdir=#{doc}",
                     "datadir=#{share/postgresql.name}", "pkglibdir=#{lib/postgresql.name}"
      system "make", "clean", "PG_CONFIG=#{postgresql.opt_bin}/pg_config"
    end
  end

  test do
    postgresqls.each do |postgresql|
      data = testpath/postgresql.name
      system postgresql.opt_bin/"initdb", "-D", data, "-U", "postgres"
      (data/"postgresql.conf").append_lines "port = #{free_port}\nunix_socket_directories = '#{testpath}'"
      system postgresql.opt_bin/"pg_ctl", "start", "-w", "-D", data, "-l", testpath/"log"
      begin
        socket = (data/"postmaster.pid").read.lines[3].to_i
        system postgresql.opt_bin/"psql", "-h", testpath, "-p", socket.to_s, "-U", "postgres",
               "-v", "ON_ERROR_STOP=1", "-c", "CREATE EXTENSION objectid", "-c", "SELECT gen_objectid()"
      ensure
        system postgresql.opt_bin/"pg_ctl", "stop", "-D", data
      end
    end
  end
end
