<?php
declare(strict_types=1);

namespace PgObjectId;

use Illuminate\Database\Schema\Blueprint;
use Illuminate\Database\Schema\Grammars\PostgresGrammar;

/** Laravel: columns of type objectid in migrations, $table->objectid('id').  Laravel finds this class itself. */
class ServiceProvider extends \Illuminate\Support\ServiceProvider
{
    public function boot(): void
    {
        PostgresGrammar::macro('typeObjectid', fn () => 'objectid');
        Blueprint::macro('objectid', fn (string $column) => $this->addColumn('objectid', $column));
    }
}
