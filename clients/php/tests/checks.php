<?php

/* What the programs of this directory share; see t/ClientTest.pm.  WRONG is no id, and has to be an error. */
declare(strict_types=1);

const WRONG = ['zzz', '', '507f1f77bcf86cd79943901', '507f1f77bcf86cd7994390111', ' 507f1f77bcf86cd799439011', 5];

function check(bool $condition, string $what): void
{
    echo $condition ? 'ok' : 'not ok', " - $what\n";
}

function raises(string $error, Closure $function): bool
{
    try {
        $function();
    } catch (Throwable $raised) {
        return $raised instanceof $error;
    }
    return false;
}
