import { z } from 'zod'
import { badArchiveUpload } from './challenge-archive.ts'
import { TokenText, UnixMs } from './fields.ts'
import { InstantText } from './instants.ts'
import { allPermissions } from './permissions.ts'
import { badBodySize } from './replies.ts'
import { organiserRoute, reply, route } from './route.ts'

// Import of a contest of another platform: docs/reference/contest-import.md

/** Characters of the divisions and of a token of the source, files of its configuration, and bytes of all of them. */
export const contestImportLimits = {
  divisions: 4000,
  token: 1000,
  configurationFiles: 20,
  configurationBytes: 256 * 1024,
}

export const ImportSource = z.enum(['ctfd', 'rctf'])
export const ImportStep = z.enum(['upload', 'reading', 'files', 'rows', 'checking', 'storing'])

export const ImportReport = z.object({
  plan: z
    .string()
    .describe(
      'Identifies the file, the options and what is lost. An import that names it accepts these losses.',
    ),
  source: z.string().describe('What was found, for people: `CTFd 3.8.1`.'),
  counts: z
    .record(z.string(), z.int())
    .nullable()
    .describe('Numbers of rows by their kind; null if the rows cannot be written.'),
  findings: z
    .array(
      z.object({
        severity: z.enum(['problem', 'loss', 'note']),
        code: z.string().describe('What was found, for scripts.'),
        text: z.string().describe('What was found, for people.'),
        count: z.int(),
        examples: z.array(z.string()).describe('Names and ids of the first few.'),
      }),
    )
    .describe('Problems first, then losses.'),
  configuration: z
    .string()
    .describe(
      'YAML of configuration that the import cannot write into the database; empty if there is none.',
    ),
})

const Running = z.object({
  source: ImportSource,
  isPlan: z.boolean(),
  teamId: z.string().describe('The organiser.'),
  step: ImportStep,
  done: z.int(),
  total: z.int().describe('0 if it is not known.'),
  startedAt: UnixMs,
})

export const goodContestImportState = reply(
  200,
  'goodContestImportState',
  'The state of imports.',
  z.object({
    running: Running.nullable().describe('The import of any replica, or null if none is running.'),
    refusal: z
      .string()
      .nullable()
      .describe('Why nothing can be imported into this contest; null if it is empty.'),
    maxBytes: z.int().describe('Bytes of a request.'),
  }),
)
export const goodContestImportPlan = reply(
  200,
  'goodContestImportPlan',
  'What the import would write and lose. Nothing was written.',
  ImportReport,
)
export const goodContestImport = reply(
  200,
  'goodContestImport',
  'The contest was imported.',
  ImportReport.extend({
    secrets: z
      .string()
      .describe(
        'Lines of sign-in links and new secrets of clients, separated by tabs. They are returned only here.',
      ),
  }),
)
export const badContestImport = reply(
  400,
  'badContestImport',
  'The contest has problems. Nothing was imported.',
  ImportReport,
)
export const badContestImportPlan = reply(
  409,
  'badContestImportPlan',
  'The import would lose something that was not accepted. Nothing was imported.',
  ImportReport,
)
export const badContestImportSource = reply(
  400,
  'badContestImportSource',
  'The file cannot be imported.',
  z.object({ reason: z.string() }),
)
export const badContestImportBusy = reply(
  409,
  'badContestImportBusy',
  'Another import is running.',
  z.object({ running: Running.nullable().describe('The other import, or null if it has just ended.') }),
)
export const badContestNotEmpty = reply(
  409,
  'badContestNotEmpty',
  'The contest is not empty.',
  z.object({ reason: z.string() }),
)

const owner = {
  path: '/api/v2/admin/import',
  auth: 'required',
  // It writes everything, and `admins` gives all permissions to others.
  perms: allPermissions,
} as const

export const readContestImport = organiserRoute({
  ...owner,
  method: 'GET',
  summary: 'Whether a contest can be imported, and the import that is running on any replica.',
  scope: 'organise:read',
  replies: [goodContestImportState],
})

export const importContest = route({
  ...owner,
  method: 'POST',
  summary: 'Plans the import of a contest in the part `archive`, or carries it out.',
  scope: null,
  bodyCap: 'upload',
  secret: true,
  query: z.object({
    source: ImportSource.describe('The platform that the file is from.'),
    plan: z
      .string()
      .max(100)
      .optional()
      .describe('The `plan` of a report whose losses are accepted. Without it, nothing is written.'),
    storePictures: z
      .enum(['true', 'false'])
      .optional()
      .describe(
        'An import fetches pictures of other sites and stores them. What cannot be fetched is a note.',
      ),
    divisions: z
      .string()
      .max(contestImportLimits.divisions)
      .optional()
      .describe('Lines `old=new`: a bracket or division of the source, and a division of this contest.'),
    end: InstantText.optional().describe('CTFd: end of the event.'),
    admins: z
      .enum(['true', 'false'])
      .optional()
      .describe('Whether admins of the source get all permissions.'),
    hidden: z
      .enum(['ban', 'skip'])
      .optional()
      .describe('CTFd: hidden accounts arrive banned, or not at all.'),
    awards: z
      .enum(['adjust', 'feed', 'skip'])
      .optional()
      .describe('CTFd: awards become score adjustments or pushed points, or are left out.'),
    scoring: z
      .enum(['static', 'decay'])
      .optional()
      .describe('CTFd: challenges keep the points of the export, or decay.'),
    locked: z
      .enum(['hide', 'open'])
      .optional()
      .describe('CTFd: challenges whose locks cannot be kept arrive hidden or open.'),
  }),
  form: z.object({
    archive: z.file().describe('An export of CTFd, or a dump of the database of rCTF.'),
    token: TokenText.max(contestImportLimits.token)
      .optional()
      .describe('rCTF: a token of any team, to check that tokens stay valid.'),
    configuration: z
      .file()
      .optional()
      .describe('rCTF: a YAML or JSON file of its configuration. May be sent several times.'),
  }),
  limits: ['organiserJobs'],
  replies: [
    goodContestImportPlan,
    goodContestImport,
    badContestImport,
    badContestImportPlan,
    badContestImportSource,
    badContestImportBusy,
    badContestNotEmpty,
    badArchiveUpload,
    badBodySize,
  ],
})

export const contestImportRouteList = [readContestImport, importContest] as const
