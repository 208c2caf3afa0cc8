import { definedOf } from '../../../lib/defined-of.ts'
import type { RenderText } from './konata-templates.ts'
import { renderDeep } from './konata-templates.ts'
import { textBeside, type Reader } from './reader.ts'
import { isMap, type ForeignDocument, type Json } from './translation.ts'

/** The settings of instances, whose texts are templates. */
export function instancerOf(reader: Reader, renderText: RenderText): Json | undefined {
  if (reader.raw('instancer_config') === undefined) return undefined
  const settings = reader.map('instancer_config')
  const rendered = (field: string, text: string | undefined) => {
    if (text === undefined) return undefined
    const result = renderText(text)
    if ('text' in result) return result.text
    settings.report(field, result.problem)
    return text
  }
  const config = settings.typed('config') ?? settings.typed('options') ?? {}
  settings.ignore('config', 'options')
  const expose = settings.items('expose').flatMap((port, index): Json[] => {
    if (typeof port === 'string') {
      settings.report(
        `expose.${index}`,
        'must be a map with kind, host_prefix, container_name and container_port',
      )
      return []
    }
    const entry = {
      kind: port.string('kind'),
      hostPrefix: rendered(`expose.${index}.host_prefix`, port.string('host_prefix')),
      containerName: port.string('container_name'),
      containerPort: port.integer('container_port'),
      shouldDisplay: port.boolean('should_display'),
      title: port.string('title'),
    }
    return [definedOf(entry)]
  })
  const isMapped = isMap(config)
  if (!isMapped) settings.report('config', 'must be a map')
  return definedOf({
    challengeIntegrationId: rendered('challenge_integration_id', settings.string('challenge_integration_id')),
    instancer: settings.string('instancer'),
    config: renderDeep(isMapped ? config : {}, {
      renderText,
      fail: (path, problem) => settings.report(`config.${path}`, problem),
    }),
    expose,
    timeoutMilliseconds: settings.integer('timeout_milliseconds'),
    extendable: settings.boolean('extendable'),
  })
}

/** The code of the admin bot, which is a template. */
export async function botOf(
  document: ForeignDocument,
  reader: Reader,
  renderText: RenderText,
): Promise<{ readonly code: string } | undefined> {
  if (reader.raw('admin_bot') === undefined) return undefined
  const bot = reader.map('admin_bot')
  const [code, file] = [bot.string('code'), bot.string('file')]
  const field = code === undefined ? 'file' : 'code'
  if (code === undefined && file === undefined) {
    bot.report('code', 'is missing')
    return undefined
  }
  const read = code === undefined ? await textBeside(document, file ?? '') : { text: code }
  if ('problem' in read) {
    bot.report('file', read.problem, { lint: 'missing-file' })
    return undefined
  }
  const rendered = renderText(read.text)
  if ('text' in rendered) return { code: rendered.text }
  bot.report(field, `${rendered.problem}. The code is a template: write {% raw %} around braces that are not`)
  return undefined
}
