import { z } from 'zod'
import { badBodySize, badChallenge } from './replies.ts'
import { reply, route } from './route.ts'
import { LeftPicture } from './uploads.ts'

// Import and export of challenges with their files as one zip archive: docs/reference/challenges.md#archives

/** The fields of a challenge in an archive, in the order in which `challenge.yaml` has them. */
export const archiveFields = [
  'name',
  'category',
  'author',
  'tags',
  'description',
  'hidden',
  'releaseTime',
  'wave',
  'prerequisites',
  'lockedShown',
  'points',
  'scoring',
  'tiebreakEligible',
  'sortWeight',
  'flags',
  'hints',
  'files',
  'instancer',
  'adminBot',
] as const

export type ArchiveField = (typeof archiveFields)[number]

/** Problems and ignored paths beyond this many are only counted: no one reads more at once. */
export const MAX_ARCHIVE_LINES = 200

/** A longer list does not fit into the URL that servers and proxies accept. */
export const MAX_IDS_LENGTH = 6000

const Planned = z.object({
  id: z.string(),
  name: z.string(),
  path: z.string().describe('The folder in the archive.'),
  state: z.enum(['created', 'changed', 'unchanged']),
  fields: z
    .array(z.enum(archiveFields))
    .describe('The fields that differ from the stored challenge; those that are set, for a new one.'),
})

export const ArchivePlan = z.object({
  plan: z.string().describe('Identifies the archive and the state of its challenges on the server.'),
  challenges: z.array(Planned),
  problems: z.array(z.object({ path: z.string(), reason: z.string() })).max(MAX_ARCHIVE_LINES),
  problemCount: z.int(),
  ignored: z
    .array(z.string())
    .max(MAX_ARCHIVE_LINES)
    .describe('Paths that belong to no challenge or are not listed by one. They are not imported.'),
  ignoredCount: z.int(),
  pictures: z
    .array(
      z.object({ challenge: z.string(), host: z.string(), count: z.int().describe('Number of pictures.') }),
    )
    .max(MAX_ARCHIVE_LINES)
    .describe(
      'Pictures of other sites in the texts that change, which readers do not see, by challenge and host.',
    ),
  pictureCount: z.int(),
  picturesLeft: z
    .array(LeftPicture)
    .max(MAX_ARCHIVE_LINES)
    .describe('Those that `storePictures` could not store; empty in a plan.'),
})

export const goodChallengeArchiveFile = reply(200, 'goodChallengeArchiveFile', 'A zip archive.')
export const goodChallengeArchivePlan = reply(
  200,
  'goodChallengeArchivePlan',
  'What the import would change. Nothing was written.',
  ArchivePlan,
)
export const goodChallengeArchiveImport = reply(
  200,
  'goodChallengeArchiveImport',
  'The challenges were imported.',
  ArchivePlan,
)
export const badChallengeArchive = reply(
  400,
  'badChallengeArchive',
  'The archive has problems. Nothing was imported.',
  ArchivePlan,
)
export const badChallengeArchivePlan = reply(
  409,
  'badChallengeArchivePlan',
  'The archive or the challenges changed since the plan. Nothing was imported.',
  ArchivePlan,
)
export const badChallengeFiles = reply(
  409,
  'badChallengeFiles',
  'Files of challenges are missing in the file store.',
  z.object({ files: z.array(z.object({ challenge: z.string(), name: z.string() })).max(MAX_ARCHIVE_LINES) }),
)
export const badArchiveUpload = reply(500, 'badArchiveUpload', 'The files could not be stored.')

export const exportChallengeArchive = route({
  method: 'GET',
  path: '/api/v2/admin/challenges/archive',
  summary: 'Returns challenges with their files as a zip archive.',
  auth: 'required',
  perms: ['challsRead'],
  scope: 'challenges:read',
  query: z.object({
    ids: z
      .string()
      .max(MAX_IDS_LENGTH)
      .optional()
      .describe('Ids separated by commas, each percent-encoded; without it, all challenges.'),
  }),
  secret: true,
  file: 'application/zip',
  limits: ['organiserJobs'],
  replies: [goodChallengeArchiveFile, badChallenge, badChallengeFiles],
})

export const importChallengeArchive = route({
  method: 'POST',
  path: '/api/v2/admin/challenges/archive',
  summary: 'Imports challenges from a zip archive in the part `archive`, all or none of them.',
  auth: 'required',
  // The plan shows what differs from the stored challenges, so it takes the permission to read them as well.
  perms: ['challsRead', 'challsWrite'],
  scope: 'challenges:write',
  bodyCap: 'upload',
  query: z.object({
    dryRun: z.enum(['true', 'false']).optional().describe('`true` returns the plan and writes nothing.'),
    plan: z
      .string()
      .max(100)
      .optional()
      .describe('The `plan` of a dry run: the import is refused if its result would differ.'),
    storePictures: z
      .enum(['true', 'false'])
      .optional()
      .describe(
        '`true` fetches pictures of other sites and stores them. What cannot be fetched stays as it is.',
      ),
  }),
  form: z.object({ archive: z.file() }),
  limits: ['organiserJobs'],
  replies: [
    goodChallengeArchivePlan,
    goodChallengeArchiveImport,
    badChallengeArchive,
    badChallengeArchivePlan,
    badArchiveUpload,
    badBodySize,
  ],
})

export const challengeArchiveRouteList = [exportChallengeArchive, importChallengeArchive] as const
