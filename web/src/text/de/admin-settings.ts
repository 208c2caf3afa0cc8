import type { AdminSettingsWords } from '../en/admin-settings.ts'

export const adminSettings: AdminSettingsWords = {
  title: 'Wettbewerb',
}
