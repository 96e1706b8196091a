export function faultText(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}
