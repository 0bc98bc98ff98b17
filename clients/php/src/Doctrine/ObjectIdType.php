<?php

declare(strict_types=1);

namespace PgObjectId\Doctrine;

use Doctrine\DBAL\Platforms\AbstractPlatform;
use Doctrine\DBAL\Types\ConversionException;
use Doctrine\DBAL\Types\Exception\ValueNotConvertible;
use Doctrine\DBAL\Types\Type;

/**
 * Doctrine: columns of type objectid.
 *
 *     Type::addType('objectid', ObjectIdType::class);
 *     #[ORM\Id, ORM\Column(type: 'objectid')] public string $id;
 *
 * An id is a string of 24 lower-case digits, because Doctrine compares ids by identity: matching() on a loaded
 * collection finds no other ObjectId of the same value.
 */
class ObjectIdType extends Type
{
    public function getSQLDeclaration(array $column, AbstractPlatform $platform): string
    {
        return 'objectid';
    }

    public function convertToPHPValue(mixed $value, AbstractPlatform $platform): mixed
    {
        return $value;
    }

    /** Also takes an ObjectId.  The exception for what is no id is one that Symfony answers with 404. */
    public function convertToDatabaseValue(mixed $value, AbstractPlatform $platform): ?string
    {
        $digits = is_string($value) || $value instanceof \Stringable ? (string) $value : '';
        if ($value === null || preg_match('/\A[0-9a-f]{24}\z/i', $digits)) {
            return $value === null ? null : $digits;
        }
        throw class_exists(ValueNotConvertible::class)
            ? ValueNotConvertible::new($value, 'objectid')
            : ConversionException::conversionFailed($value, 'objectid'); // DBAL 3
    }

    /** for the schema tool, which fails if it reads a column of an unknown type */
    public function getMappedDatabaseTypes(AbstractPlatform $platform): array
    {
        return ['objectid'];
    }

    /** for DBAL 3 */
    public function getName(): string
    {
        return 'objectid';
    }
}
