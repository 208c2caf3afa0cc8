/**
 * Processor time of this process in milliseconds, as a share of which load is measured: on a busy machine, work takes long because other
 * programs run meanwhile, and waiting would not help.
 */
export function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
