export const settings = {
  title: 'Settings',
}

export type SettingsWords = typeof settings
