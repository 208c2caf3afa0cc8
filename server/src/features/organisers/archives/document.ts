import { Points, InstancerSettings } from '@pennant/contract/admin-challenges.ts'
import { ChallengeId, LinkUrl } from '@pennant/contract/fields.ts'
import { instantProblem } from '@pennant/contract/instants.ts'
import { hintLimits } from '@pennant/contract/hints.ts'
import { z } from 'zod'

// The content of `challenge.yaml`: docs/author/challenge-archives.md

const RelativePath = z
  .string()
  .min(1)
  .describe('A path relative to the folder of the challenge, with `/` between its parts.')

const Text = z.union([
  z.string(),
  z.strictObject({ file: RelativePath }).describe('The text is in a file of this folder.'),
])

/** With a time zone: without one, an import would depend on the server's. */
const ZONED = /^[+-]?\d{4,6}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:?\d\d)$/

const NO_INSTANT = 'must be a date and time with a time zone, such as 2026-05-01T12:00:00Z'

const Instant = z
  .string({ error: NO_INSTANT })
  .refine((text) => ZONED.test(text) && !Number.isNaN(Date.parse(text)), { error: NO_INSTANT, abort: true })
  .refine((text) => instantProblem(Date.parse(text)) === null, { error: 'must not be before the year 2000' })
  .describe('Date and time with a time zone, such as `2026-05-01T12:00:00Z`.')

const Scoring = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('decay') }).describe('Points fall from `max` to `min` with each solve.'),
  z.strictObject({ kind: z.literal('static') }).describe('Always `max` points.'),
  z
    .strictObject({
      kind: z.literal('dynamic'),
      secret: z
        .string()
        .min(1)
        .optional()
        .describe('Signs the pushed scores. Without it, the stored secret stays; a new challenge needs one.'),
    })
    .describe('Points are pushed by an external service.'),
])

const Flag = z
  .looseObject({
    kind: z
      .string()
      .default('static')
      .describe('`static`, `regex`, `dynamic`: the kinds that `GET /api/v2/admin/flags/providers` lists.'),
  })
  .describe('The kind of the flag, and the values that this kind takes: `flag`, `pattern`, `base` ...')

const File = z.union([
  RelativePath.describe('A file of this folder. Its name is the last part of the path.'),
  z.strictObject({
    path: RelativePath,
    name: z.string().optional().describe('The name that players see, instead of the last part of the path.'),
  }),
  z
    .strictObject({ url: LinkUrl, name: z.string(), size: z.int().min(0).nullable().default(null) })
    .describe('A file that is stored elsewhere. `size` is in bytes.'),
])

const HintRelease = z
  .union([
    z
      .literal('manual')
      .describe('An organiser releases it. One that is released on the site stays released.'),
    z.strictObject({ at: Instant }).describe('Released at a time.'),
    z
      .strictObject({ after: z.int().min(0).max(hintLimits.minutes) })
      .describe('Released this many minutes after the challenge, at the earliest after the start.'),
  ])
  .default('manual')

const Hint = z
  .strictObject({
    text: Text.describe('Markdown, or the file that contains it.'),
    price: z.int().min(0).max(hintLimits.price).default(0).describe('Points that a team pays; 0: free.'),
    release: HintRelease,
  })
  .describe('A hint.')

/** Fields that are absent keep their value; those of a new challenge get a default. */
export const ChallengeDocument = z
  .strictObject({
    id: ChallengeId.optional().describe('The id, if it is not the name of the folder.'),
    name: z.string().optional(),
    category: z.string().optional().describe('The category, if it is not the name of the parent folder.'),
    author: z.string().optional(),
    tags: z.array(z.string()).max(100).optional(),
    description: Text.optional().describe('Markdown, or the file that contains it.'),
    hidden: z.boolean().optional().describe('Whether players do not see it. A new challenge is hidden.'),
    releaseTime: Instant.nullable().optional().describe('When players see it; null for immediately.'),
    wave: z
      .string()
      .min(1)
      .nullable()
      .optional()
      .describe(
        'The name of the wave that it is released with; null for none. The wave decides the release time.',
      ),
    prerequisites: z
      .array(ChallengeId)
      .optional()
      .describe('Ids of the challenges that a team must have solved before it can open this one.'),
    lockedShown: z
      .boolean()
      .optional()
      .describe('Whether teams that have not solved the prerequisites see its name, category and value.'),
    points: Points.optional(),
    scoring: Scoring.optional(),
    tiebreakEligible: z
      .boolean()
      .nullable()
      .optional()
      .describe('Whether its solves break ties in the standings; null: if it can be worth points.'),
    sortWeight: z.number().nullable().optional().describe('Position on the page, ascending; null is last.'),
    flags: z.array(Flag).max(100).optional().describe('All flags that are accepted.'),
    hints: z
      .array(Hint)
      .max(hintLimits.perChallenge)
      .optional()
      .describe('All hints, in order. Those with the text of a stored one are the same hint.'),
    files: z
      .array(File)
      .max(1000)
      .optional()
      .describe('The files that players download, in order. Without it, everything in `files/`.'),
    instancer: InstancerSettings.nullable().optional().describe('Instance of each team; null for none.'),
    adminBot: z
      .strictObject({ code: Text })
      .nullable()
      .optional()
      .describe('The code of the admin bot; null for none.'),
  })
  .meta({ title: 'Pennant challenge', description: 'One challenge, in a file named challenge.yaml.' })

export type ChallengeDocument = z.output<typeof ChallengeDocument>

/** With further fields, whose values are checked by those who know them. */
export function documentWith(fields: readonly string[]): typeof ChallengeDocument {
  const others = fields.filter((field) => !(field in ChallengeDocument.shape))
  if (others.length === 0) return ChallengeDocument
  const extended = ChallengeDocument.extend(
    Object.fromEntries(others.map((field) => [field, z.unknown().optional()])),
  )
  return extended as unknown as typeof ChallengeDocument
}

/** The JSON Schema of `challenge.yaml`, for editors. */
export function documentSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(ChallengeDocument, { io: 'input', unrepresentable: 'any' })
}
