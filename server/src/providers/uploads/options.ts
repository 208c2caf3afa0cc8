import { z } from 'zod'

// Options that all buckets share.

export const BucketName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/, { error: 'must be the name of a bucket' })
  .describe('Name of the bucket.')

export const Downloads = z
  .enum(['public', 'signed'])
  .default('public')
  .describe(
    '`public`: the bucket is public. `signed`: the bucket is private, and this server redirects to signed URLs that are valid for an hour.',
  )
