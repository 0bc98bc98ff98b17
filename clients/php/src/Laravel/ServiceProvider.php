<?php

declare(strict_types=1);

namespace PgObjectId\Laravel;

use Illuminate\Database\Schema\Blueprint;
use Illuminate\Database\Schema\ForeignIdColumnDefinition;
use Illuminate\Database\Schema\Grammars\PostgresGrammar;

/**
 * Laravel: in migrations, $table->objectid('id'), foreignObjectid('event_id')->constrained(), objectidMorphs('owner')
 * and nullableObjectidMorphs('owner').  Laravel finds this class itself.
 */
class ServiceProvider extends \Illuminate\Support\ServiceProvider
{
    public function boot(): void
    {
        PostgresGrammar::macro('typeObjectid', fn () => 'objectid');
        Blueprint::macro('objectid', fn (string $column) => $this->addColumn('objectid', $column));
        Blueprint::macro('foreignObjectid', fn (string $column) => $this->addColumnDefinition(
            new ForeignIdColumnDefinition($this, ['type' => 'objectid', 'name' => $column])
        ));
        foreach (['objectidMorphs' => false, 'nullableObjectidMorphs' => true] as $name => $nullable) {
            Blueprint::macro($name, function (string $morph, ?string $index = null) use ($nullable) {
                $this->string("{$morph}_type")->nullable($nullable);
                $this->objectid("{$morph}_id")->nullable($nullable);
                $this->index(["{$morph}_type", "{$morph}_id"], $index);
            });
        }
    }
}
