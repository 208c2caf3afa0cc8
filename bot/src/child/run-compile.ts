import type { Options } from '../author/options.ts'
import { CompileOrder, type Plan, type Report } from '../protocol.ts'
import { openChannel } from './channel.ts'
import { compile } from './compile.ts'
import { evaluate } from './evaluate.ts'
import { endWithWorker } from './watchdog.ts'

/** The child process that compiles an author's code and reports its options. */
export async function runCompile(): Promise<void> {
  endWithWorker()
  const channel = openChannel()
  const { source, surroundings } = await channel.next(CompileOrder)
  channel.report(await compileAndAsk(source, surroundings.firefoxPath !== null))
  await channel.flush()
  process.exit(0)
}

async function compileAndAsk(source: string, hasFirefox: boolean): Promise<Report> {
  try {
    const code = await compile(source)
    const options = evaluate(code)
    if (options.browser === 'firefox' && !hasFirefox)
      return { type: 'refused', detail: 'This worker has no Firefox.' }
    return { type: 'compiled', code, plan: planOf(options) }
  } catch (error) {
    return { type: 'refused', detail: error instanceof Error ? error.message : String(error) }
  }
}

function planOf(options: Options): Plan {
  const { inputs, timeoutMilliseconds, requireInstancerInstancesRunning, maxLogLines, maxLogValueChars } =
    options
  return { inputs, timeoutMilliseconds, requireInstancerInstancesRunning, maxLogLines, maxLogValueChars }
}
