// Drop-Block's simplest player: any of the six letters. A place to start from.

import java.util.NoSuchElementException;
import java.util.Scanner;
import java.util.SplittableRandom;

public class Random {
    // Dohyo gives every bot a seed of its own, so that a match can be played again exactly; without one, each run
    // differs.
    static final String SEED = System.getenv("DOHYO_SEED");
    static final SplittableRandom CHANCE =
            SEED == null ? new SplittableRandom() : new SplittableRandom(Long.parseLong(SEED));

    static int me; // which of the four players I am: 0, 1, 2 or 3
    static int turn;
    static final int[][] blocks = new int[6][6];
    static final int[] row = new int[4]; // -1 when fallen
    static final int[] column = new int[4]; // -1 when fallen
    static final char[] facing = new char[4];
    static final int[] stun = new int[4]; // own turns that are still blocked

    public static void main(String[] arguments) {
        Scanner in = new Scanner(System.in);
        say("READY"); // within a second of the start
        try {
            while (true) {
                readTurn(in);
                say(choose());
            }
        } catch (NoSuchElementException noMoreInput) {
            // the match is over
        }
    }

    static void say(String line) {
        System.out.print(line + "\n");
        System.out.flush();
    }

    /** Read the 13 lines that a turn begins with. */
    static void readTurn(Scanner in) {
        me = in.nextInt();
        turn = in.nextInt();
        for (int[] line : blocks) {
            for (int i = 0; i < 6; i++) line[i] = in.nextInt();
        }
        for (int player = 0; player < 4; player++) {
            row[player] = in.nextInt();
            column[player] = in.nextInt();
            facing[player] = in.next().charAt(0);
            stun[player] = in.nextInt();
        }
        in.next(); // the word EOD ends the turn's input
    }

    /** Choose what to do: U, R, D or L to move, A to attack, N for nothing. Your own ideas go here. */
    static String choose() {
        return "URDLAN".split("")[CHANCE.nextInt(6)];
    }
}
