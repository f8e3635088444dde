package lamprow

import "testing"

func TestBurning(t *testing.T) {
	for _, tc := range testCases {
		t.Run(tc.description, func(t *testing.T) {
			if got := Burning(tc.lamps, tc.walkers); got != tc.want {
				t.Fatalf("Burning(%d, %v) = %d, want %d", tc.lamps, tc.walkers, got, tc.want)
			}
		})
	}
}
