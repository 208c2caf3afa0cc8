import { InvalidArgumentError, type Command } from 'commander'
import type { PlayCommand, Use } from './play.ts'
import type { ProcessContext } from './process-context.ts'

/** Imported on demand: `--help` needs no client. */
const load = () => import('./play.ts')

/** `pennant play` and `pennant mcp`: a team plays from a terminal, or through an agent. */
export function addPlayCommands(program: Command, context: ProcessContext): void {
  const play = program
    .command('play')
    .description('play for a team from the terminal; needs the address of the site and a token')
    .addHelpText('after', SITE)
  const add: Add = (name, description, useOf) =>
    siteOptions(play.command(name))
      .description(description)
      .option('--json', 'print one line of JSON')
      .action(async (...given: unknown[]) => {
        const command = given.pop() as Command
        const options: PlayOptions & PlayCommand = command.opts()
        await (await load()).play(context, options, useOf(command.args, options))
      })
  addReads(add)
  addActs(add)
  siteOptions(play.command('watch'))
    .description('print announcements, solves, challenges and the own rank as they come, until it is stopped')
    .action(async (options: PlayCommand) => (await import('./play-watch.ts')).watch(context, options))
  siteOptions(program.command('mcp'))
    .description('serve the same to an agent on this machine, over standard input and output')
    .option('--to <folder>', 'where files of challenges are saved', '.')
    .addHelpText('after', SITE)
    .action(async (options: PlayCommand) => (await import('./mcp.ts')).serveAgent(context, options))
}

type Add = (
  name: string,
  description: string,
  useOf: (args: readonly string[], options: PlayOptions) => Use,
) => Command

function addReads(add: Add): void {
  add('event', 'name, times and pages of the event', () => ['event', {}])
  add('page <page>', 'a page of the organisers, such as the rules', ([page]) => ['read_page', { page }])
  add('challenges', 'list the challenges', (_, { category, unsolved }) => [
    'list_challenges',
    { category, unsolved },
  ])
    .option('--category <name>', 'only this category')
    .option('--unsolved', 'only what the team has not solved')
  add('show <challenge>', 'description, files and hints of a challenge', of('read_challenge'))
  add('files <challenge>', 'download the files of a challenge', of('download_files')).option(
    '--to <folder>',
    'where to',
    '.',
  )
  add('instance <challenge>', "state and addresses of the team's instance", of('read_instance'))
  add(
    'bot-jobs <challenge> [job]',
    "the team's jobs of the admin bot, or what one of them wrote",
    ([challenge, job]) => ['read_admin_bot', { challenge, job }],
  )
  add('standing', 'score and rank of the team', () => ['own_standing', {}])
  add('scoreboard', 'the first ranks', (_, { rows, division }) => ['scoreboard', { rows, division }])
    .option('--rows <n>', 'how many', rowsOf, 10)
    .option('--division <id>', 'only this division')
  add('announcements', 'what the organisers announced', () => ['announcements', {}])
  add('questions [thread]', 'questions to the organisers, and their answers', ([thread]) => [
    'read_questions',
    { thread },
  ])
}

function addActs(add: Add): void {
  add('submit <challenge> <flag>', 'submit a flag', ([challenge, flag]) => [
    'submit_flag',
    { challenge, flag },
  ])
  add('hint <challenge> <hint> <price>', 'buy a hint for its price', ([challenge, hint, price = '']) => [
    'buy_hint',
    { challenge, hint, price: priceOf(price) },
  ])
  add('start <challenge>', "start the team's instance", of('start_instance'))
  add('extend <challenge>', "give the team's instance its full time again", of('extend_instance'))
  add('stop <challenge>', "stop the team's instance", of('stop_instance'))
  add(
    'bot <challenge> [inputs...]',
    'send the admin bot on a visit; inputs are name=value',
    ([challenge, ...inputs]) => [
      'send_admin_bot',
      { challenge, inputs: Object.fromEntries(inputs.map(inputOf)) },
    ],
  )
  add('ask <text>', 'ask the organisers', ([content], { challenge, thread }) => [
    'ask_organisers',
    { content, challenge, thread },
  ])
    .option('--challenge <challenge>', 'about this challenge')
    .option('--thread <id>', 'add to this thread')
}

interface PlayOptions {
  readonly category?: string
  readonly unsolved?: boolean
  readonly rows?: number
  readonly division?: string
  readonly challenge?: string
  readonly thread?: string
}

const SITE =
  '\nPENNANT_URL is the site, PENNANT_TOKEN or PENNANT_TOKEN_FILE an API token of the team.' +
  '\nExit status: 0, 1 for an error, 3 if the site refused the request or the flag is wrong.'

const of =
  (tool: string) =>
  ([challenge]: readonly string[]): Use => [tool, { challenge }]

function siteOptions(command: Command): Command {
  return command
    .option('--url <address>', 'address of the site, instead of PENNANT_URL')
    .option('--token-file <file>', 'file with the token, instead of PENNANT_TOKEN')
}

function inputOf(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('An input is name=value.')
  return [text.slice(0, at), text.slice(at + 1)]
}

function priceOf(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('The price is a number of points.')
  return Number(text)
}

function rowsOf(text: string): number {
  const rows = Number(text)
  if (!Number.isInteger(rows) || rows < 1 || rows > 100) throw new InvalidArgumentError('It is 1 to 100.')
  return rows
}
