ALTER TABLE closed_position VALIDATE CONSTRAINT closed_position_venue,
  VALIDATE CONSTRAINT closed_position_corrected;
