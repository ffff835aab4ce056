export const charge = (cents: number) => cents;
