import { z } from 'zod'

// Options that all buckets have.

export const BucketName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/, { error: 'must be the name of a bucket' })
  .describe('Name of the bucket.')

export const Downloads = z
  .enum(['public', 'signed'])
  .default('public')
  .describe(
    'Files are public at the bucket, or private: then this server sends callers to addresses that are good for an hour.',
  )
