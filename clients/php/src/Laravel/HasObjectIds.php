<?php

declare(strict_types=1);

namespace PgObjectId\Laravel;

use Illuminate\Database\Eloquent\Builder;
use Illuminate\Database\Eloquent\Model;
use Illuminate\Database\Eloquent\ModelNotFoundException;

/**
 * Laravel: generates the key of a new model, the 24 digits of an ObjectId.
 *
 *     class Event extends Model { use HasObjectIds; }
 */
trait HasObjectIds
{
    /** Otherwise Eloquent converts a key to a number if it looks like one, and 24 digits without a letter do. */
    public function initializeHasObjectIds(): void
    {
        $this->incrementing = false;
        $this->keyType = 'string';
    }

    // Laravel generates keys with these functions from 9.30 on
    public function usesUniqueIds(): bool
    {
        return true;
    }
    public function uniqueIds(): array
    {
        return [$this->getKeyName()];
    }
    /** As MongoDB's specification says, without its extension.  Each model has a random part in each process. */
    public function newUniqueId(): string
    {
        static $process, $random, $counter;
        if ($process !== getmypid()) {
            [$process, $random, $counter] = [getmypid(), bin2hex(random_bytes(5)), random_int(0, 0xffffff)];
        }
        return sprintf('%08x%s%06x', time(), $random, $counter++ & 0xffffff);
    }

    /** Not a "creating" listener, because withoutEvents(), saveQuietly() and seeders skip listeners. */
    protected function performInsert(Builder $query)
    {
        $this->{$this->getKeyName()} = (string) ($this->{$this->getKeyName()} ?? $this->newUniqueId());
        return parent::performInsert($query);
    }

    /** A route with an invalid id is a 404, as with uuid keys, instead of an error of the server. */
    public function resolveRouteBindingQuery($query, $value, $field = null)
    {
        $isKey = ($field ?? $this->getRouteKeyName()) === $this->getKeyName();
        if ($isKey && !preg_match('/\A[0-9a-f]{24}\z/i', (string) $value)) {
            throw (new ModelNotFoundException())->setModel(static::class, [$value]);
        }
        return parent::resolveRouteBindingQuery($query, $value, $field);
    }
}
