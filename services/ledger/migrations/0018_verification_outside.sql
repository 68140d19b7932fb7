-- The ledger is verified by a program that uses no code of the database (services/ledger/verifier).
drop function ledger.verify, ledger.verify_ends;
