ALTER TABLE pool_arrival VALIDATE CONSTRAINT pool_arrival_foreign;
