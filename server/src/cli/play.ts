import { createClient, type Client } from '@pennant/contract/client.ts'
import { z } from 'zod'
import { StartError } from '../lib/errors.ts'
import { saveIn } from '../play/save-file.ts'
import { plain } from '../play/marked.ts'
import type { PlaySite } from '../play/tool.ts'
import { playTools } from '../play/tools.ts'
import { siteOptions, type SiteCommand } from './challenge-site.ts'
import { ExitStatus } from './exit-status.ts'
import type { ProcessContext } from './process-context.ts'

export interface PlayCommand extends SiteCommand {
  readonly to?: string
  readonly json?: boolean
}

/** A tool and its input. */
export type Use = readonly [string, Readonly<Record<string, unknown>>]

/** The site and the team of the command's options. */
export async function openSite(
  context: ProcessContext,
  { to, ...site }: PlayCommand,
): Promise<PlaySite & { readonly token: string }> {
  const { url, token } = await siteOptions(context, site)
  const origin = url.replace(/\/+$/, '')
  const client = createClient({ baseUrl: origin })
  const call: Client = async (route, request) => {
    try {
      return await client(route, { ...request, token })
    } catch {
      throw new StartError(`${origin} did not return a response of Pennant: check the address.`)
    }
  }
  return { call, origin, token, ...(to !== undefined && { saveFile: saveIn(to) }) }
}

/** Runs one tool and prints what it says. */
export async function play(context: ProcessContext, command: PlayCommand, [name, input]: Use): Promise<void> {
  const tool = playTools.find((one) => one.name === name)
  if (!tool) throw new Error(`no tool ${name}`)
  const checked = tool.input.safeParse(input)
  if (!checked.success) throw new StartError(z.prettifyError(checked.error))
  const site = await openSite(context, command)
  const { parts, data = {}, isRefused = false } = await tool.run(site, checked.data)
  const text = command.json ? JSON.stringify(data) : plain(parts)
  if (!isRefused) return context.print(text)
  if (command.json) context.print(text)
  else context.complain(text)
  throw new ExitStatus('attention')
}
