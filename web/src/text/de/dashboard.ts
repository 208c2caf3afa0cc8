import type { DashboardWords } from '../en/dashboard.ts'

export const dashboard: DashboardWords = {
  title: 'Überblick',
}
