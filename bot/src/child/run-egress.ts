import { EgressOrder, EgressRules } from '../protocol.ts'
import { createAddresses } from '../proxy/addresses.ts'
import { connectDirectly, type Connect } from '../proxy/connect.ts'
import { serveEgress } from '../proxy/egress.ts'
import { openChannel } from './channel.ts'
import { endWithWorker } from './watchdog.ts'

/**
 * The egress of one isolated visit: runs outside the visit's namespaces, holds no secrets and runs no code of
 * authors. Its rules come from the worker. It runs until the worker ends it with the visit.
 */
export async function runEgress(): Promise<void> {
  endWithWorker()
  const channel = openChannel()
  const { path } = await channel.next(EgressOrder)
  let connect: Connect | null = null
  await serveEgress(path, () => connect)
  channel.report({ type: 'ready' })
  const { allowPrivate, instances } = await channel.next(EgressRules)
  connect = connectDirectly(createAddresses(allowPrivate, instances))
  channel.report({ type: 'ready' })
  // Exits when the worker is gone.
  await channel.next(EgressRules)
}
