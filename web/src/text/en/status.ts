import { catalogue } from '../catalogue.ts'

export const statusMessages = catalogue('status', {
  title: 'Status',
  asOf: (time: string) => `As of ${time}.`,
  summary: {
    ok: 'Everything works.',
    degraded: 'Something is slow or late.',
    down: 'Something does not work.',
  },
  parts: 'Components',
  component: {
    site: 'Site and API',
    flags: 'Flag submissions',
    scoreboard: 'Scoreboard',
    instances: 'Instances',
    adminBot: 'Admin bot',
    mail: 'Mail',
  },
  state: { ok: 'Works', degraded: 'Degraded', down: 'Down' },
  incidents: 'Incidents',
  noIncidents: 'No incidents in the last seven days.',
  incidentState: {
    investigating: 'Investigating',
    identified: 'Identified',
    monitoring: 'Monitoring',
    resolved: 'Resolved',
  },
  severity: { notice: 'Notice', minor: 'Minor', major: 'Major' },
  affects: (parts: string) => `Affects: ${parts}`,
  post: 'Post an incident',
  name: 'Title',
  severityLabel: 'Severity',
  affected: 'Affected components',
  stateLabel: 'State',
  text: 'Update',
  textHelp: 'Markdown. Everybody can read it.',
  missing: 'Required.',
  publish: 'Publish',
  addUpdate: 'Add an update',
  published: 'Published.',
  delete: 'Delete',
  deleteTitle: (title: string) => `Delete “${title}”?`,
  deleteAbout: 'This removes the incident with all updates. Resolved incidents disappear after seven days.',
  deleted: 'The incident was deleted.',
  cancel: 'Cancel',
})

export type StatusMessages = typeof statusMessages.english
