export const adminSettings = {
  title: 'Event settings',
}

export type AdminSettingsWords = typeof adminSettings
