<?php

declare(strict_types=1);

namespace PgObjectId\Laravel;

use Illuminate\Database\Schema\Blueprint;
use Illuminate\Database\Schema\ForeignIdColumnDefinition;
use Illuminate\Database\Schema\Grammars\PostgresGrammar;

/** Laravel: $table->objectid('id') and $table->foreignObjectid('event_id')->constrained() in migrations.  Laravel finds this class itself. */
class ServiceProvider extends \Illuminate\Support\ServiceProvider
{
    public function boot(): void
    {
        PostgresGrammar::macro('typeObjectid', fn () => 'objectid');
        Blueprint::macro('objectid', fn (string $column) => $this->addColumn('objectid', $column));
        Blueprint::macro('foreignObjectid', fn (string $column) => $this->addColumnDefinition(
            new ForeignIdColumnDefinition($this, ['type' => 'objectid', 'name' => $column])
        ));
    }
}
