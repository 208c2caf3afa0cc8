import { InvalidArgumentError, Option, type Command } from 'commander'
import { allowProblem } from '../ops/challenges-as-code/finding.ts'
import { formats } from '../ops/challenges-as-code/formats/translation.ts'
import type { ChallengesCommand } from './compare-challenges.ts'
import type { ProcessContext } from './process-context.ts'

/** Imported on demand: `--help` needs no client. */
const load = () => import('./challenges.ts')

/** `pennant challenges`: the challenges of a site as a folder, over HTTP. */
export function addChallengeCommands(program: Command, context: ProcessContext): void {
  const challenges = program
    .command('challenges')
    .description('keep the challenges of a site in a folder; needs the address of the site and a token')
    .addHelpText(
      'after',
      '\nPENNANT_URL is the site. The token is that of `pennant login`, unless PENNANT_TOKEN_FILE or PENNANT_TOKEN is set.' +
        '\nExit status: 0 without differences, 1 for an error, 3 for differences.',
    )
  compareOptions(challenges.command('plan <folder>'))
    .description('show what an apply would change')
    .option('--prune', 'also show the challenges that an apply with --prune deletes')
    .action(async (folder: string, options: ChallengesCommand) =>
      (await load()).planChallenges(context, folder, options),
    )
  compareOptions(challenges.command('apply <folder>'))
    .description('create and change the challenges of the folder: all of them or, after an error, none')
    .option('--prune', 'delete challenges that the folder does not have, with their solves')
    .action(async (folder: string, options: ChallengesCommand) =>
      (await load()).applyToSite(context, folder, options),
    )
  compareOptions(challenges.command('diff <folder>'))
    .description('show how the site differs from the folder')
    .action(async (folder: string, options: ChallengesCommand) =>
      (await load()).diffChallenges(context, folder, options),
    )
  compareOptions(challenges.command('check <folder>'))
    .description('try the flags of the folder on the site, without submitting them')
    .action(async (folder: string, options: ChallengesCommand) =>
      (await import('./challenge-check.ts')).checkChallenges(context, folder, options),
    )
  siteOptions(challenges.command('export <folder>'))
    .description('write the challenges of the site into a folder')
    .option('--force', 'overwrite files that have another content')
    .action(async (folder: string, options: { force?: boolean }) =>
      (await load()).exportChallenges(context, folder, options),
    )
}

function siteOptions(command: Command): Command {
  return command
    .option('--url <address>', 'address of the site, instead of PENNANT_URL')
    .option('--token-file <file>', 'file with the token, instead of PENNANT_TOKEN or a login')
}

const none: readonly string[] = []

function compareOptions(command: Command): Command {
  return siteOptions(command)
    .addOption(
      new Option('--format <format>', 'format of all documents, instead of what each looks like').choices(
        formats,
      ),
    )
    .option('--domain <domain>', 'public host of the containers of rCDS, gzcli and beavercds', parseDomain)
    .option('--profile <profile>', 'profile of beavercds: its challenges are visible')
    .addOption(
      new Option('--rcds-ids <kind>', 'ids of rCDS: `event` puts the event before the folder').choices([
        'event',
      ]),
    )
    .option('--instances', 'take over containers that other tools start for each team as instances')
    .option('--store-pictures', 'fetch pictures of other sites in texts and upload them')
    .option(
      '--document <name>',
      'another file name of documents, such as ctfcli.yaml (repeatable)',
      collect,
      none,
    )
    .option('--only <pattern>', 'only these: a path, a pattern of paths or an id (repeatable)', collect, none)
    .option('--exclude <pattern>', 'without these; the site keeps its challenges (repeatable)', collect, none)
    .option('--keep-going', 'leave out challenges with errors, and exit with status 3')
    .option('--verbose', 'print every warning instead of one line for each kind')
    .option(
      '--allow <lint>',
      'make errors of a lint, or `lint:challenge`, warnings (repeatable)',
      parseAllow,
      none,
    )
    .option('--show-secrets', 'show flags, code and settings of instances in differences')
    .option('--json', 'print one line of JSON')
}

/** For options that may be repeated. */
export function collect(value: string, values: readonly string[] = []): readonly string[] {
  return [...values, value]
}

function parseAllow(value: string, values: readonly string[]): readonly string[] {
  const problem = allowProblem(value)
  if (problem !== null) throw new InvalidArgumentError(problem)
  return collect(value, values)
}

function parseDomain(text: string): string {
  if (!/^[a-z0-9.-]{1,253}$/i.test(text)) throw new InvalidArgumentError('Must be a host name.')
  return text
}
