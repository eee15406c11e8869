"""Files of a site in an object store: S3, and what speaks like it. `dohyo serve --files s3://BUCKET/NAME`."""
