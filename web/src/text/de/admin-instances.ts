import type { AdminInstancesMessages } from '../en/admin-instances.ts'

export const adminInstances: AdminInstancesMessages = {
  title: 'Instanzen',
  table: 'Instanzen aller Teams',
  none: 'Keine laufenden Instanzen.',
  noInstancer:
    'Kein Instancer ist eingerichtet. Für Instanzen `instancers` in der Serverkonfiguration setzen.',
  timeLeft: 'Restzeit',
  machine: 'Host',
  stop: 'Beenden',
  unknown: 'unbekannt',
  states: {
    stopped: 'beendet',
    running: 'läuft',
    starting: 'startet',
    stopping: 'wird beendet',
    errored: 'fehlgeschlagen',
  },
  crashing: (restarts) => `stürzt ab, ${restarts} Neustarts`,
  host: (name, used, max) => `${name}: ${used} von ${max} Plätzen belegt`,
  avoidedPorts: (ports: string) =>
    `Ports, die nicht zu ihrer Instanz führen und eine Stunde lang nicht verwendet werden: ${ports}. Diesen Rechner aufräumen: docs/operate/instances.md#cleaning-up-a-host`,
  hostDown: (name) => `${name}: antwortet nicht`,
}
